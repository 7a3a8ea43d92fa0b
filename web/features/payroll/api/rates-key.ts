// Names everything that is kept of the pay rates, so that one change makes all of it load again.
export const ratesKey = ['pay_rates'] as const;
