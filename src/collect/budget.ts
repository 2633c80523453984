/** What is set aside for one request before it is sent: upper bounds of its cost and tokens. */
export interface Hold {
  readonly micros: number;
  readonly tokens: number;
}

/** What a request came to. `uncertain` stays set aside for ever: nobody knows whether it was charged. */
export interface Settlement {
  readonly micros: number;
  readonly tokens: number;
  readonly uncertain: boolean;
}

export interface BudgetState {
  readonly capMicros: number;
  readonly capTokens: number | null;
  readonly spentMicros: number;
  readonly spentTokens: number;
  /** Set aside for ambiguous requests. */
  readonly uncertainMicros: number;
  readonly heldMicros: number;
  readonly exhausted: boolean;
}

export interface Budget {
  /**
   * Sets `hold` aside. Waits while what others hold may still come back; false when it cannot fit, and from then on for
   * everyone: a budget that has said no admits nothing more.
   */
  reserve(hold: Hold): Promise<boolean>;
  settle(hold: Hold, settlement: Settlement): void;
  /** Gives `hold` back whole: the request was certainly not accepted. */
  release(hold: Hold): void;
  /** Lets nobody in any more and wakes those who wait. */
  stop(): void;
  state(): BudgetState;
}

/**
 * A hard cap for concurrent workers: spent + uncertain + held + new never passes it. All amounts are integers of micro-USD and
 * tokens. Admission happens in one turn of the event loop, so there is no gap between the test and the booking.
 */
export function makeBudget(options: {
  readonly capMicros: number;
  readonly capTokens: number | null;
  readonly spentMicros: number;
  readonly spentTokens: number;
  readonly uncertainMicros: number;
}): Budget {
  const { capMicros, capTokens } = options;
  let { spentMicros, spentTokens, uncertainMicros } = options;
  let uncertainTokens = 0;
  let heldMicros = 0;
  let heldTokens = 0;
  let exhausted = false;
  let waiting: (() => void)[] = [];

  const wake = (): void => {
    const woken = waiting;
    waiting = [];
    for (const resume of woken) resume();
  };
  const fits = (hold: Hold, heldM: number, heldT: number): boolean =>
    spentMicros + uncertainMicros + heldM + hold.micros <= capMicros &&
    (capTokens === null || spentTokens + uncertainTokens + heldT + hold.tokens <= capTokens);
  const give = (hold: Hold): void => {
    heldMicros -= hold.micros;
    heldTokens -= hold.tokens;
  };

  return {
    async reserve(hold) {
      for (;;) {
        if (exhausted) return false;
        if (fits(hold, heldMicros, heldTokens)) {
          heldMicros += hold.micros;
          heldTokens += hold.tokens;
          return true;
        }
        if (!fits(hold, 0, 0)) {
          exhausted = true;
          wake();
          return false;
        }
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
    settle(hold, settlement) {
      give(hold);
      spentMicros += settlement.micros;
      spentTokens += settlement.tokens;
      if (settlement.uncertain) {
        uncertainMicros += hold.micros;
        uncertainTokens += hold.tokens;
      }
      wake();
    },
    release(hold) {
      give(hold);
      wake();
    },
    stop() {
      exhausted = true;
      wake();
    },
    state: () => ({
      capMicros,
      capTokens,
      spentMicros,
      spentTokens,
      uncertainMicros,
      heldMicros,
      exhausted,
    }),
  };
}
