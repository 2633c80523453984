/** What is set aside for one request before it is sent: upper bounds of its cost and tokens. */
export interface Reservation {
  readonly micros: number;
  readonly tokens: number;
}

/** What a request came to. The micro-USD of an `uncertain` one stay set aside for ever: nobody knows whether it was charged. */
interface Settlement {
  readonly micros: number;
  readonly tokens: number;
  readonly uncertain: boolean;
}

interface BudgetState {
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
   * Sets `reservation` aside. Waits while what others hold may still come back; false when it cannot fit, and from then on for
   * everyone: a budget that has said no admits nothing more.
   */
  reserve(reservation: Reservation): Promise<boolean>;
  settle(reservation: Reservation, settlement: Settlement): void;
  /** Gives `reservation` back whole: the request was certainly not accepted. */
  release(reservation: Reservation): void;
  /** Lets nobody in any more and wakes those who wait. */
  stop(): void;
  state(): BudgetState;
}

/**
 * Makes a hard cap for concurrent workers: spent + uncertain + held + new never passes it. All amounts are integers of micro-USD and
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
  let heldMicros = 0;
  let heldTokens = 0;
  let exhausted = false;
  let waiting: (() => void)[] = [];

  const resumeAll = (): void => {
    const resumed = waiting;
    waiting = [];
    for (const resume of resumed) resume();
  };
  const fits = (reservation: Reservation, micros: number, tokens: number): boolean =>
    spentMicros + uncertainMicros + micros + reservation.micros <= capMicros &&
    (capTokens === null || spentTokens + tokens + reservation.tokens <= capTokens);
  const giveBack = (reservation: Reservation): void => {
    heldMicros -= reservation.micros;
    heldTokens -= reservation.tokens;
  };

  return {
    async reserve(reservation) {
      for (;;) {
        if (exhausted) return false;
        if (fits(reservation, heldMicros, heldTokens)) {
          heldMicros += reservation.micros;
          heldTokens += reservation.tokens;
          return true;
        }
        if (!fits(reservation, 0, 0)) {
          exhausted = true;
          resumeAll();
          return false;
        }
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
    settle(reservation, settlement) {
      giveBack(reservation);
      spentMicros += settlement.micros;
      spentTokens += settlement.tokens;
      if (settlement.uncertain) uncertainMicros += reservation.micros;
      resumeAll();
    },
    release(reservation) {
      giveBack(reservation);
      resumeAll();
    },
    stop() {
      exhausted = true;
      resumeAll();
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
