// Names everything that is kept of the shifts and their guards, so that one change makes all of it load again.
export const shiftsKey = ['shifts'] as const;
