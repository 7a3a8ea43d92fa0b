// Names everything that is kept of the financial statements, so that one change makes all of it load again.
export const statementsKey = ['financial_statements'] as const;
