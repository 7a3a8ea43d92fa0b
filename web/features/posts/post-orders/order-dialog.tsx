import { useState } from 'react';
import { OutlinedText } from '#web/components/text/outlined-text.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { DetailDialog } from '#web/components/ui/detail-dialog.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { cn } from '#web/lib/cn.ts';
import { formatDateTime, formatDay } from '#web/lib/format/dates.ts';
import { formatName } from '#web/lib/format/person-name.ts';
import { useOrder, useReaders, useVersions } from './api.ts';
import { OrderFormDialog } from './order-form.tsx';
import type { PostOrder } from './schema.ts';

type Reader = NonNullable<ReturnType<typeof useReaders>['data']>[number];

function ReaderState({ reader }: { reader: Reader }) {
  const { read_at, clocked_in_unread, next_shift } = reader;
  if (read_at !== null) {
    return <span className="text-muted tabular-nums">Read {formatDateTime(read_at)}</span>;
  }
  if (clocked_in_unread) return <Badge tone="red">Clocked in unread</Badge>;
  return (
    <span className="flex flex-wrap items-center justify-end gap-x-3 gap-y-1">
      {next_shift && (
        <span className="text-sm text-muted tabular-nums">Next {formatDateTime(next_shift)}</span>
      )}
      <Badge tone="orange">Not read</Badge>
    </span>
  );
}

function Readers({ order }: { order: PostOrder }) {
  return (
    <Loaded query={useReaders(order.id)} loadingText="Loading readers...">
      {(readers) => (
        <section aria-label="Who has read it">
          <h3 className="mb-2 font-semibold">
            Read by {readers.filter(({ read_at }) => read_at !== null).length} of {readers.length}{' '}
            guards
          </h3>
          <ul className="divide-y divide-line border-y border-line">
            {readers.map((reader) => (
              <li
                key={reader.user_id}
                className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2"
              >
                <span className="min-w-0 break-words">{reader.full_name}</span>
                <ReaderState reader={reader} />
              </li>
            ))}
          </ul>
          {readers.length === 0 && (
            <p className="py-2 text-muted">No guard has a shift under this version yet.</p>
          )}
        </section>
      )}
    </Loaded>
  );
}

type VersionsProps = { order: PostOrder; onOpen: (id: string) => void };

function Versions({ order, onOpen }: VersionsProps) {
  return (
    <Loaded query={useVersions(order)} loadingText="Loading versions...">
      {(versions) => (
        <section aria-label="Versions">
          <h3 className="mb-2 font-semibold">Versions</h3>
          <ul className="divide-y divide-line border-y border-line">
            {versions.map(({ id, version, valid_from, created_at, author }) => (
              <li key={id}>
                <button
                  type="button"
                  aria-current={id === order.id}
                  onClick={() => onOpen(id)}
                  className={cn(
                    'flex min-h-11 w-full flex-wrap items-center justify-between gap-x-4 py-2 text-left hover:text-accent',
                    id === order.id && 'font-semibold',
                  )}
                >
                  <span>
                    Version {version}, from {formatDay(valid_from)}
                  </span>
                  <span className="text-sm font-normal text-muted">
                    {author ? `${formatName(author)}, ` : ''}
                    {formatDateTime(created_at)}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </Loaded>
  );
}

type OrderDialogProps = {
  id: string;
  mayWrite: boolean;
  /** Another version. */
  onOpen: (id: string) => void;
  onClose: () => void;
};

export function OrderDialog({ id, mayWrite, onOpen, onClose }: OrderDialogProps) {
  const query = useOrder(id);
  const [isWriting, setWriting] = useState(false);
  const order = query.data;
  if (isWriting && order) return <OrderFormDialog order={order} onClose={onClose} />;
  return (
    <DetailDialog
      query={query}
      title={order ? order.title : 'Post Orders'}
      {...(order
        ? {
            description: `${[order.sites.name, order.posts?.name].filter(Boolean).join(', ')}. Version ${order.version}, from ${formatDay(order.valid_from)}`,
          }
        : {})}
      missing="These post orders no longer exist."
      onClose={onClose}
    >
      {(opened) => (
        <div className="grid gap-7">
          <OutlinedText text={opened.body} />
          {mayWrite && (
            <Button
              variant="secondary"
              className="justify-self-start"
              onClick={() => setWriting(true)}
            >
              Write New Version
            </Button>
          )}
          <Readers order={opened} />
          <Versions order={opened} onOpen={onOpen} />
        </div>
      )}
    </DetailDialog>
  );
}
