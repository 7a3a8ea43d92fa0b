// Names everything that is kept of the accounts, so that one change makes all of it load again.
export const usersKey = ['users'] as const;
