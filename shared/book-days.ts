/** How many days ahead a statement can end. */
export const STATEMENT_DAYS_AHEAD = 366;
