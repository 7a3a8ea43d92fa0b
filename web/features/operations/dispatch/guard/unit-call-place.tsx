import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { lazily } from '#web/lib/render/lazily.tsx';
import { useUnitCall } from './unit-call.ts';

const UnitCallCard = lazily(async () => (await import('./unit-call-card.tsx')).UnitCallCard);

/** On the staff portal's home, only while the user's unit has a call. */
export function UnitCallPlace({ userId }: { userId: string }) {
  const { data: call } = useUnitCall(userId);
  if (!call) return null;
  return (
    <LazyPart>
      <UnitCallCard key={call.assigned_id} userId={userId} call={call} />
    </LazyPart>
  );
}
