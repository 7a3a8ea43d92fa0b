import { PinForm } from '#web/components/form/pin-form.tsx';
import { usePinState, useSetPin } from '#web/lib/data/pins.ts';
import { formatInstantDay } from '#web/lib/format/dates.ts';
import { AccountSection } from './account-section.tsx';

export function PinSection({ userId }: { userId: string }) {
  const { data } = usePinState(userId);
  const { mutateAsync } = useSetPin();
  return (
    <AccountSection
      title="PIN"
      text="With your PIN you clock in on a shared phone or tablet at a site."
    >
      {data?.is_set && (
        <p className="mb-4">
          {data.is_locked
            ? 'Your PIN is locked after five wrong ones. Set another, or ask your supervisor to unlock it.'
            : `You have a PIN${data.set_at ? `, set on ${formatInstantDay(data.set_at)}` : ''}.`}
        </p>
      )}
      <PinForm onSave={(pin) => mutateAsync({ userId: undefined, pin })} />
    </AccountSection>
  );
}
