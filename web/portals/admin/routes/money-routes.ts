import { statementSearch } from '#web/features/billing/client-accounts/search.ts';
import { contractPageSearch, contractSearch } from '#web/features/billing/contracts/search.ts';
import {
  type InvoiceSearch,
  invoicePageSearch,
  invoiceSearch,
  unbilledSearch,
} from '#web/features/billing/invoices/search.ts';
import { marginSearch } from '#web/features/billing/margin/search.ts';
import { settingsSearch } from '#web/features/billing/settings/search.ts';
import { vatSearch } from '#web/features/billing/vat/search.ts';
import { clientSearch } from '#web/features/clients/clients/search.ts';
import { accountingSearch } from '#web/features/money/accounting/search.ts';
import { outlookSearch } from '#web/features/money/outlook/search.ts';
import { type GrowingSearch, growingSearch, recordsSearch } from '#web/lib/data/list-search.ts';
import { CARDS_STEP } from '#web/lib/data/pages.ts';
import { definePageRows, defineRows, list, plain } from './admin-route.ts';

const accountsSearch = recordsSearch(['title', 'bank', 'balance']);

const clientsRoute = list(
  '/clients',
  clientSearch,
  'Clients',
  async () => (await import('#web/features/clients/clients/client-list.tsx')).ClientList,
  {
    rows: definePageRows(
      async () => (await import('#web/features/clients/clients/api.ts')).clientList,
    ),
  },
);

const contractsRoute = list(
  '/contracts',
  contractSearch,
  'Contracts',
  async () => (await import('#web/features/billing/contracts/contract-list.tsx')).ContractList,
  {
    rows: definePageRows(
      async () => (await import('#web/features/billing/contracts/api.ts')).contractList,
    ),
  },
);

const contractRoute = list(
  '/contracts/$id',
  contractPageSearch,
  'Contract',
  async () => (await import('../contract-screen.tsx')).ContractScreen,
  { isStep: (change) => Boolean(change.open) || 'tab' in change },
);

const invoicesRoute = list(
  '/invoices',
  invoiceSearch,
  'Invoices',
  async () => (await import('#web/features/billing/invoices/invoice-list.tsx')).InvoiceList,
  {
    rows: defineRows(
      () =>
        Promise.all([
          import('#web/features/billing/invoices/api.ts'),
          import('#web/features/billing/invoices/unbilled-api.ts'),
        ]),
      ([{ invoiceList }, { forgottenQuery }], request, search: InvoiceSearch) => {
        request(invoiceList.pageQuery(search));
        // The rows wait for it.
        request(forgottenQuery);
      },
    ),
  },
);

const unbilledRoute = list(
  '/invoices/unbilled',
  unbilledSearch,
  'Unbilled Hours',
  async () => (await import('#web/features/billing/invoices/unbilled-list.tsx')).UnbilledList,
);

const statementsOfAccountRoute = list(
  '/invoices/statements',
  statementSearch,
  'Statements of Account',
  async () =>
    (await import('#web/features/billing/client-accounts/statement-screen.tsx')).StatementScreen,
  { isStep: (change) => 'client' in change },
);

const marginRoute = list(
  '/invoices/margin',
  marginSearch,
  'Margin',
  async () => (await import('#web/features/billing/margin/margin-screen.tsx')).MarginScreen,
);

const outlookRoute = list(
  '/invoices/money',
  outlookSearch,
  'Money Ahead',
  async () => (await import('#web/features/money/outlook/outlook-screen.tsx')).OutlookScreen,
  { isStep: (change) => 'tab' in change || Boolean(change.open) },
);

const vatRoute = list(
  '/invoices/vat',
  vatSearch,
  'VAT',
  async () => (await import('#web/features/billing/vat/vat-screen.tsx')).VatScreen,
  { isStep: (change) => 'tab' in change || 'month' in change },
);

const accountingRoute = list(
  '/invoices/accounting',
  accountingSearch,
  'Accounting Export',
  async () =>
    (await import('#web/features/money/accounting/accounting-screen.tsx')).AccountingScreen,
  { isStep: (change) => 'tab' in change },
);

const billingSettingsRoute = list(
  '/invoices/settings',
  settingsSearch,
  'Invoice Settings',
  async () => (await import('#web/features/billing/settings/settings-screen.tsx')).SettingsScreen,
);

const invoiceRoute = list(
  '/invoices/$id',
  invoicePageSearch,
  'Invoice',
  async () => (await import('../invoice-screen.tsx')).InvoiceScreen,
  { isStep: (change) => Boolean(change.open) },
);

const financialsRoute = list(
  '/financials',
  growingSearch,
  'Financial Statements',
  async () =>
    (await import('#web/features/money/financial-statements/statement-list.tsx')).StatementList,
  {
    rows: defineRows(
      () => import('#web/features/money/financial-statements/api.ts'),
      ({ statements }, request, { shown = CARDS_STEP }: GrowingSearch) =>
        request(statements.firstQuery(shown)),
    ),
  },
);

const expensesRoute = list(
  '/expenses',
  recordsSearch(['date', 'title', 'amount']),
  'Expense Reports',
  async () => (await import('#web/features/money/expenses/expense-list.tsx')).ExpenseList,
  {
    rows: definePageRows(
      async () => (await import('#web/features/money/expenses/api.ts')).expenseList,
    ),
  },
);

const bankaccountsRoute = list(
  '/bankaccounts',
  accountsSearch,
  'Bank Accounts',
  async () =>
    (await import('#web/features/money/bank-accounts/bank-account-list.tsx')).BankAccountList,
  {
    rows: definePageRows(
      async () => (await import('#web/features/money/bank-accounts/api.ts')).bankAccountList,
    ),
  },
);

const loansRoute = list(
  '/loans',
  accountsSearch,
  'Loan Accounts',
  async () => (await import('#web/features/money/loans/loan-list.tsx')).LoanList,
  { rows: definePageRows(async () => (await import('#web/features/money/loans/api.ts')).loanList) },
);

const statementsRoute = plain(
  '/statements',
  'Bank Statements',
  async () =>
    (await import('#web/features/money/bank-accounts/balance-overview.tsx')).BalanceOverview,
  defineRows(
    () => import('#web/features/money/bank-accounts/api.ts'),
    ({ balancesQuery }, request) => request(balancesQuery),
  ),
);

const cashflowRoute = plain(
  '/cashflow',
  'Cashflow Statement',
  async () =>
    (await import('#web/features/money/cashflow/cashflow-statement.tsx')).CashflowStatement,
  defineRows(
    () => import('#web/features/money/cashflow/api.ts'),
    ({ cashflowQuery }, request) => request(cashflowQuery),
  ),
);

export const moneyRoutes = [
  clientsRoute,
  contractsRoute,
  contractRoute,
  invoicesRoute,
  unbilledRoute,
  statementsOfAccountRoute,
  marginRoute,
  outlookRoute,
  vatRoute,
  accountingRoute,
  billingSettingsRoute,
  invoiceRoute,
  financialsRoute,
  expensesRoute,
  bankaccountsRoute,
  loansRoute,
  statementsRoute,
  cashflowRoute,
] as const;
