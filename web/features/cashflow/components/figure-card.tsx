// One figure; where it is a sum of records, a button shows them.
import type { ReactNode } from 'react';
import { Button } from '#web/components/ui/button.tsx';
import { Card } from '#web/components/ui/card.tsx';
import { cn } from '#web/lib/cn.ts';

type FigureCardProps = {
  name: string;
  tone?: 'good' | 'bad';
  /** Says in words what the colour says. */
  note?: string;
  onOpen?: () => void;
  children: ReactNode;
};

export function FigureCard({ name, tone, note, onOpen, children }: FigureCardProps) {
  return (
    <Card className="flex flex-col p-4">
      <p className="text-sm text-muted">{name}</p>
      <p
        className={cn(
          'mt-1 text-lg font-semibold whitespace-nowrap tabular-nums',
          tone === 'good' && 'text-success',
          tone === 'bad' && 'text-danger',
        )}
      >
        {children}
      </p>
      {note && <p className="mt-1 text-sm text-muted">{note}</p>}
      {onOpen && (
        <Button
          variant="link"
          className="mt-auto -mb-2 self-start px-0 print:hidden"
          onClick={onOpen}
          aria-label={`Show the records of ${name}`}
        >
          Show records
        </Button>
      )}
    </Card>
  );
}
