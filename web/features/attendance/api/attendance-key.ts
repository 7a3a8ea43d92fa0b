// Names everything that is kept of attendance, so that one change makes all of it load again.
export const attendanceKey = ['attendance'] as const;
