// Names everything that is kept of the bank accounts, so that one change makes all of it load again.
export const bankAccountsKey = ['bank_accounts'] as const;
