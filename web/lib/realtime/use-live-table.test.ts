import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { reloadQueries } from './use-live-table.ts';

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
