import { Link } from '@tanstack/react-router';
import { PAGE_LINK } from '#web/components/ui/page-link.ts';
import type { LedgerRow } from './statements.ts';

type Place = { to: string; search?: Record<string, string> };

/** Where a document of the books is opened, by the kinds of private.journal_entries. */
export function placeOf({ kind, document, opens }: LedgerRow): Place | undefined {
  if (kind === 'payroll' || kind === 'payroll_paid') return { to: '/admin/payroll' };
  // "VAT 2026-10" is the return of a month.
  if (kind === 'vat_return' || kind === 'vat_payment')
    return { to: '/admin/invoices/vat', search: { tab: 'returns', month: document.slice(4) } };
  if (kind === 'paye_payment' || kind === 'nasscorp_payment')
    return {
      to: '/admin/payroll/returns',
      search: { kind: kind.split('_')[0] ?? '', month: document.slice(-7) },
    };
  if (opens === null) return undefined;
  switch (kind) {
    case 'invoice':
    case 'credit_note':
      return { to: `/admin/invoices/${opens}` };
    case 'receipt':
    case 'receipt_void':
    case 'refund':
    case 'refund_return':
      return { to: '/admin/invoices/statements', search: { client: opens } };
    case 'pay_run':
    case 'pay_run_void':
    case 'payment':
    case 'payment_return':
      return { to: `/admin/payruns/${opens}` };
    case 'expense':
      return { to: '/admin/expenses', search: { open: opens } };
    case 'staff_issue':
    case 'staff_repayment':
    case 'staff_write_off':
      return { to: `/admin/people/${opens}` };
    case 'entry':
    case 'entry_void':
      return { to: '/admin/invoices/accounting', search: { tab: 'entries', open: opens } };
    default:
      return undefined;
  }
}

/** The name of a document; opens it. */
export function DocumentLink({ row }: { row: LedgerRow }) {
  const place = placeOf(row);
  if (!place) return row.document;
  return (
    <Link to={place.to} search={place.search ?? {}} className={PAGE_LINK}>
      {row.document}
    </Link>
  );
}
