import { BasisSection } from '#web/features/pay/staff-pay/basis-section.tsx';
import { ItemSection } from '#web/features/pay/staff-pay/item-section.tsx';
import { LedgerSection } from '#web/features/pay/staff-pay/ledger-section.tsx';
import { PayAccountSection } from '#web/features/payments/payments/account-section.tsx';

type PaySectionsProps = { staffId: string; name: string };

/** How much a person is paid, what they repay, and where their pay goes. */
export function PaySections({ staffId, name }: PaySectionsProps) {
  return (
    <>
      <BasisSection staffId={staffId} name={name} />
      <ItemSection staffId={staffId} />
      <LedgerSection staffId={staffId} name={name} />
      <PayAccountSection staffId={staffId} name={name} />
    </>
  );
}
