import { Link } from '@tanstack/react-router';
import { PAGE_LINK } from '#web/components/ui/page-link.ts';
import type { Days } from './rules.ts';
import type { Balance } from './statements.ts';

type AccountLinkProps = { account: Balance; days: Days };

/** The name of an account; opens its ledger of the days. */
export function AccountLink({ account, days }: AccountLinkProps) {
  const { account_id, name, currency } = account;
  return (
    <Link
      to="/admin/invoices/accounting"
      search={{
        tab: 'ledger',
        account: account_id,
        currency: currency === 'LRD' ? 'LRD' : 'USD',
        ...days,
      }}
      className={PAGE_LINK}
    >
      {name}
    </Link>
  );
}
