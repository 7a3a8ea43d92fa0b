import { type ReactNode, useId } from 'react';
import { Alert } from '#web/components/ui/alert.tsx';
import { Card } from '#web/components/ui/card.tsx';
import { Loading } from '#web/components/ui/loading.tsx';
import { RetryButton } from '#web/components/ui/retry-button.tsx';
import { describeError } from '#web/lib/errors/error-message.ts';

type AccountSectionProps = { title: string; text: string; children: ReactNode };

/** Title and description on the left, controls on the right; stacked on a phone. */
export function AccountSection({ title, text, children }: AccountSectionProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid gap-x-12 gap-y-4 border-t border-line py-8 lg:grid-cols-[17rem_minmax(0,1fr)]"
    >
      <div>
        <h2 id={id} className="font-display text-xl leading-tight">
          {title}
        </h2>
        <p className="mt-1.5 text-sm text-pretty text-muted">{text}</p>
      </div>
      <Card className="min-w-0 p-5 sm:p-6">{children}</Card>
    </section>
  );
}

type SectionStateProps = { error: unknown; onRetry: () => Promise<unknown> };

export function SectionState({ error, onRetry }: SectionStateProps) {
  if (!error) return <Loading className="py-6" />;
  return (
    <Alert
      tone="danger"
      title="This could not be loaded"
      action={<RetryButton onRetry={onRetry} />}
    >
      {describeError(error)}
    </Alert>
  );
}
