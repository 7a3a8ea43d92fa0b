export const sampleBankAccounts = [
  {
    account_number: '0011-204-778361',
    account_title: 'Statesman Security Services Operating',
    bank_name: 'Cape Mesurado Commercial Bank',
    currency: 'USD',
    current_balance: 84210.35,
    balance_type: 'Cr',
    statement_period_start: '2026-10-01',
    statement_period_end: '2026-10-31',
    address: 'Broad Street, Monrovia',
    status: 'ACTIVE',
    notes: 'Sample record.',
  },
];
