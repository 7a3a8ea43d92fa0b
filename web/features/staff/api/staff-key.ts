// Names everything that is kept of the staff, so that one change makes all of it load again.
export const staffKey = ['staff'] as const;
