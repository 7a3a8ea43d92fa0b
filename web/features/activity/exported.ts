// How much of a log one CSV file holds.

/** Rows, the newest first; the screen says so. A longer history is had period by period. */
export const EXPORTED = 5000;
