export const sampleStatements = [
  {
    title: 'Sample: Third Quarter 2026',
    period_start: '2026-07-01',
    period_end: '2026-09-30',
    total_revenue: 486250,
    total_expenses: 391480.5,
    notes: 'Sample record. Guarding contracts in Montserrado, Margibi and Grand Bassa.',
  },
];
