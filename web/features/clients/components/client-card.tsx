// One client: where it is, how many guards it has, and what it pays.
import { MapPin } from 'lucide-react';
import { formatCount } from '#shared/count.ts';
import { formatDollars } from '#shared/money.ts';
import { Fact, Facts } from '#web/components/records/facts.tsx';
import { RecordCard } from '#web/components/records/record-card.tsx';
import { PAYMENT_LABELS } from '../labels.ts';
import { ratePerGuard } from '../rate.ts';
import type { Client } from '../schema.ts';

type ClientCardProps = { client: Client; onEdit: () => void; onDelete: () => void };

export function ClientCard({ client, ...actions }: ClientCardProps) {
  const { name, location, number_of_guards, monthly_rate, payment_method } = client;
  return (
    <RecordCard
      title={name}
      subtitle={
        <span className="flex gap-2">
          <MapPin aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-accent" />
          <span className="min-w-0">
            <span className="sr-only">Location: </span>
            {location}
          </span>
        </span>
      }
      label={`client ${name}`}
      {...actions}
    >
      <Facts>
        <Fact name="Number of Guards" amount>
          {formatCount(number_of_guards)}
        </Fact>
        <Fact name="Monthly Rate" amount strong>
          {formatDollars(monthly_rate)}
        </Fact>
        <Fact name="Rate per Guard" amount>
          {formatDollars(ratePerGuard(monthly_rate, number_of_guards))}
        </Fact>
        <Fact name="Payment Method">{PAYMENT_LABELS[payment_method]}</Fact>
      </Facts>
    </RecordCard>
  );
}
