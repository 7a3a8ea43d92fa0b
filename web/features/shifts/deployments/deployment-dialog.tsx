import type { ComponentProps } from 'react';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { Opening } from '#web/components/ui/loading.tsx';
import { lazily } from '#web/lib/render/lazily.tsx';

const RecordDialog = lazily(
  async () => (await import('./deployment-form.tsx')).DeploymentRecordDialog,
);

/** Loads the form when it is first opened. */
export function DeploymentDialog(props: ComponentProps<typeof RecordDialog>) {
  const { open, addTitle, onClose } = props;
  return (
    <LazyPart
      fallback={<Opening title={open === 'new' ? addTitle : 'Edit Deployment'} />}
      onClose={onClose}
    >
      <RecordDialog {...props} />
    </LazyPart>
  );
}
