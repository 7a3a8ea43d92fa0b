// <main> and the placeholders of a screen: loading and failed. They render inside an existing <main>, so a page never has two.

import { type ComponentProps, createContext, type ReactNode, use } from 'react';
import { Alert } from '#web/components/ui/alert.tsx';
import { Loading } from '#web/components/ui/loading.tsx';
import { RetryButton } from '#web/components/ui/retry-button.tsx';
import { cn } from '#web/lib/cn.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { isMissingFile } from '#web/lib/errors/missing-file.ts';
import { useMissingFile } from './missing-file.tsx';

const InMain = createContext(false);

export function Main(props: ComponentProps<'main'>) {
  return (
    <InMain value={true}>
      <main {...props} />
    </InMain>
  );
}

export const useIsInMain = () => use(InMain);

export function LoadingScreen() {
  return <Loading className={useIsInMain() ? undefined : 'min-h-dvh'} />;
}

type FailureProps = {
  title: string;
  message: string;
  retryLabel?: string;
  busy?: boolean;
  onRetry: () => unknown;
  /** An alternative to trying again. */
  otherAction?: ReactNode;
};

export function Failure(props: FailureProps) {
  const { title, message, retryLabel, busy, onRetry, otherAction } = props;
  const isInMain = useIsInMain();
  const Wrapper = isInMain ? 'div' : Main;
  return (
    <Wrapper
      className={cn(
        'mx-auto grid max-w-xl place-items-center',
        isInMain ? 'sm:py-12' : 'min-h-dvh px-4',
      )}
    >
      <Alert
        tone="danger"
        title={title}
        className="w-full"
        action={
          <div className="flex flex-wrap gap-2">
            <RetryButton label={retryLabel} busy={busy} onRetry={onRetry} />
            {otherAction}
          </div>
        }
      >
        {message}
      </Alert>
    </Wrapper>
  );
}

function MissingScreen({ error }: { error: Error }) {
  const { title, message, isReloading, reload } = useMissingFile(
    error,
    'Reload the page to open it.',
  );
  return (
    <Failure
      title={title}
      message={message}
      retryLabel="Reload page"
      busy={isReloading}
      onRetry={reload}
    />
  );
}

type ScreenFailureProps = {
  /** Unless a file of the app is missing. */
  title?: string;
  error: unknown;
  onRetry: () => void;
};

export function ScreenFailure(props: ScreenFailureProps) {
  const { title = 'This screen could not be shown', error, onRetry } = props;
  if (isMissingFile(error)) return <MissingScreen error={error} />;
  return <Failure title={title} message={describeError(error)} onRetry={onRetry} />;
}
