// Names everything that is kept of the deployments, so that one change makes all of it load again.
export const deploymentsKey = ['deployments'] as const;
