// Names everything that is kept of the loan accounts, so that one change makes all of it load again.
export const loansKey = ['loans'] as const;
