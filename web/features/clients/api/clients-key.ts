// Names everything that is kept of the clients, so that one change makes all of it load again.
export const clientsKey = ['clients'] as const;
