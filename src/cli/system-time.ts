/** The two readings of the time of this machine. */
export const SYSTEM_TIME = { now: () => Date.now(), ticks: () => performance.now() };
