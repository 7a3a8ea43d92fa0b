import { formatCount } from '#shared/count.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { useSeatsLost } from './api.ts';

export const seatsText = (seats: number, sites: number) =>
  `${seats === 1 ? '1 seat becomes empty' : `${formatCount(seats)} seats become empty`} at ${sites === 1 ? '1 site' : `${formatCount(sites)} sites`}: assign other guards.`;

/** What approving all of these requests does to the roster. */
export function SeatsLost({ ids }: { ids: string[] }) {
  const { data, error } = useSeatsLost(ids);
  return (
    <p role="status" className="font-semibold">
      {error
        ? `The seats could not be counted: ${describeError(error)}`
        : data === undefined
          ? 'Counting the seats that become empty...'
          : data.seats === 0
            ? 'No seat becomes empty.'
            : seatsText(data.seats, data.sites)}
    </p>
  );
}
