// Roots of the query keys: invalidating a root reloads every query under it.

export const activityKey = ['activity'] as const;
export const attendanceKey = ['attendance'] as const;
export const bankAccountsKey = ['bank_accounts'] as const;
export const cashflowKey = ['cashflow'] as const;
export const certificationsKey = ['certifications'] as const;
export const clientsKey = ['clients'] as const;
export const dashboardKey = ['dashboard'] as const;
export const deploymentsKey = ['deployments'] as const;
export const enquiriesKey = ['contact_messages'] as const;
export const expensesKey = ['expense_reports'] as const;
export const guardAttendanceKey = ['guard-attendance'] as const;
export const guardCertificationsKey = ['guard-certifications'] as const;
export const guardShiftsKey = ['guard-shifts'] as const;
export const incidentsKey = ['incidents'] as const;
export const leaveKey = ['leave_requests'] as const;
export const loansKey = ['loans'] as const;
export const guardLeaveKey = ['guard-leave'] as const;
export const peopleKey = ['people'] as const;
export const payrollKey = ['payroll'] as const;
export const ratesKey = ['pay_rates'] as const;
export const rosterKey = ['roster'] as const;
export const shiftsKey = ['shifts'] as const;
export const sitesKey = ['sites'] as const;
export const staffKey = ['staff'] as const;
export const statementsKey = ['financial_statements'] as const;
export const usersKey = ['users'] as const;
