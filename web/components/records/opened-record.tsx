// The record whose dialog the address names. Its form opens with the record as it was found, and stays when
// somebody changes or deletes the record meanwhile.
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { DetailDialog } from '#web/components/ui/detail-dialog.tsx';

type OpenedRecordProps<Row> = {
  /** Of the record; null means that it does not exist, or not for this person. */
  query: UseQueryResult<Row | null>;
  /** Of the dialog. */
  title: string;
  /** Said when there is no such record. */
  missing: string;
  onClose: () => void;
  /** Draws the form: the record as it was when the dialog opened, and as it is now. */
  children: (opened: Row, now: Row) => ReactNode;
};

export function OpenedRecord<Row>(props: OpenedRecordProps<Row>) {
  const { query, title, missing, onClose } = props;
  const { data } = query;
  const [opened, setOpened] = useState<Row>();
  if (opened === undefined && data) setOpened(data);
  if (opened !== undefined) return props.children(opened, data ?? opened);
  return (
    <DetailDialog query={query} title={title} missing={missing} onClose={onClose}>
      {() => null}
    </DetailDialog>
  );
}
