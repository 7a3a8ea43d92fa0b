import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { joinRefresher, reloadQueries } from './use-live-table.ts';

it('refetches rows whose first fetch was in flight, because its response may be older', async () => {
  const queryClient = new QueryClient();
  const answers: ((rows: string) => void)[] = [];
  const queryFn = () => new Promise<string>((resolve) => void answers.push(resolve));
  const observer = new QueryObserver(queryClient, { queryKey: ['shifts'], queryFn });
  const stop = observer.subscribe(() => {});
  expect(answers).toHaveLength(1);

  const reloaded = reloadQueries(queryClient, ['shifts']);
  answers[0]?.('before the change');
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.('after the change');
  await reloaded;
  expect(observer.getCurrentResult().data).toBe('after the change');
  stop();
});

it('refetches once after a change that several components listen to', async () => {
  const queryClient = new QueryClient();
  const asked: string[] = [];
  const queryFn = async ({ queryKey }: { queryKey: readonly unknown[] }) =>
    asked.push(queryKey.join('/'));
  const observed = [['dashboard', 'figures'], ['shifts']].map((queryKey) =>
    new QueryObserver(queryClient, { queryKey, queryFn }).subscribe(() => {}),
  );
  await expect.poll(() => queryClient.isFetching()).toBe(0);
  asked.length = 0;

  const [first, ...others] = [['dashboard'], ['dashboard'], ['dashboard'], ['shifts']].map((key) =>
    joinRefresher(queryClient, key),
  );
  for (const one of [first, ...others]) one?.refresh();
  // The first component to leave doesn't cancel what the others wait for.
  first?.leave();
  await expect.poll(() => asked.includes('shifts')).toBe(true);
  await expect.poll(() => queryClient.isFetching()).toBe(0);
  expect(asked).toEqual(['dashboard/figures', 'shifts']);
  for (const { leave } of others) leave();
  for (const stop of observed) stop();
});
