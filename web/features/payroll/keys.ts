export const payrollKey = ['payroll'] as const;
export const ratesKey = ['pay_rates'] as const;
