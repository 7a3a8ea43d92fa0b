// Who decides what a user may not decide alone: by the matrix (shared/permissions.ts) and the functions that refuse it.
export const OTHER_PAYERS = 'another admin or someone of finance';
export const OTHER_PEOPLE_MANAGERS = 'HR, an operations manager or an admin other than you';
