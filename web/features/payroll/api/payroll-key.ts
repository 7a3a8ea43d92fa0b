// Names everything that is kept of the payroll, so that one change makes all of it load again.
export const payrollKey = ['payroll'] as const;
