/** Some figures change with the time alone: a shift begins and its guard is missing. Milliseconds. */
export const REFRESH_MS = 60_000;
