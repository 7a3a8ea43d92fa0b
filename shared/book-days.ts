/** The first day, yyyy-MM-dd, that receipts, expenses and statements can have; private.first_book_day() in the database. */
export const FIRST_BOOK_DAY = '2021-01-01';

/** How many days ahead a statement can end. */
export const STATEMENT_DAYS_AHEAD = 366;
