import { useQuery } from '@tanstack/react-query';
import { formatCount } from '#shared/count.ts';
import { Alert } from '#web/components/ui/alert.tsx';
import { PersonLink } from '#web/components/ui/person-link.tsx';
import { staffKey } from '#web/lib/data/keys.ts';
import { supabase } from '#web/lib/supabase/client.ts';

const NAMED = 5;

async function fetchWithoutPay() {
  const { data } = await supabase().rpc('people_without_pay').throwOnError();
  return data;
}

/** People who work here and are in no pay run: HR hired them, or they were invited. */
export function WithoutPay() {
  const { data: people = [] } = useQuery({
    queryKey: [...staffKey, 'without-pay'],
    queryFn: fetchWithoutPay,
  });
  if (people.length === 0) return null;
  const others = people.length - NAMED;
  return (
    <Alert
      title={
        people.length === 1
          ? '1 person has no pay record'
          : `${formatCount(people.length)} people have no pay record`
      }
      className="mb-5"
    >
      {people.slice(0, NAMED).map(({ id, full_name }, at) => (
        <span key={id}>
          {at > 0 && ', '}
          <PersonLink id={id} name={full_name} className="max-w-full [overflow-wrap:anywhere]" />
        </span>
      ))}
      {others > 0 && ` and ${formatCount(others)} more`}. They work here and are in no pay run:
      press Add Staff and choose their account.
    </Alert>
  );
}
