// Names everything that the dashboard counts, so that one change makes all of it load again.
export const dashboardKey = ['dashboard'] as const;

/** Some figures change with the time alone: a shift begins, and nobody has come. Milliseconds. */
export const REFRESH_MS = 60_000;
