// Names everything that is kept of somebody's own shifts, so that one change makes all of it load again.
export const myShiftsKey = ['my-shifts'] as const;
