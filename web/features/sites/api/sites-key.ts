// Names everything that is kept of the sites, so that one change makes all of it load again.
export const sitesKey = ['sites'] as const;
