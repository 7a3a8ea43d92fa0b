import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import { createFields } from '#web/components/form/fields.tsx';
import { RecordForm } from '#web/components/form/record-form.tsx';
import { Breadcrumbs } from '#web/components/layout/breadcrumbs.tsx';
import { ScreenHeading } from '#web/components/list/screen-heading.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { Panel } from '#web/components/ui/panel.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { textField } from '#web/lib/form-fields/text-field.ts';
import { formatDateTime } from '#web/lib/format/dates.ts';
import { useSignWatch, useWatchDraft } from './watch-api.ts';
import { WatchFactsView } from './watch-facts.tsx';

const signSchema = z.object({
  remarks: textField('Remarks', limits.WATCH_HANDOVERS_REMARKS_MAX),
});

function SignForm() {
  const navigate = useNavigate();
  const sign = useSignWatch();
  // Sent again after a lost reply, it is signed once.
  const [id] = useState(() => crypto.randomUUID());
  return (
    <RecordForm
      schema={signSchema}
      defaultValues={{ remarks: '' }}
      submitLabel="Sign Handover"
      savingLabel="Signing..."
      failure="The handover was not signed"
      save={({ remarks }) => sign.mutateAsync({ id, remarks })}
      onSaved={() => {
        showSuccess('Handover signed', 'It waits for the next dispatcher to read and accept it.');
        void navigate({ to: '/admin/operations/handover/$id', params: { id } });
      }}
      onCancel={() => void navigate({ to: '/admin/operations' })}
    >
      {(form) =>
        createFields(form).notes('remarks', 'Remarks for the next watch', {
          rows: 5,
          hint: 'What the page below does not say. Nobody can change it once it is signed.',
        })
      }
    </RecordForm>
  );
}

/** The watch that ends: its page, and the signature of who leaves. */
export function SignScreen() {
  return (
    <>
      <Breadcrumbs
        trail={[{ label: 'Operations', to: '/admin/operations' }]}
        current="Hand Over the Watch"
      />
      <Loaded
        query={useWatchDraft()}
        loadingText="Loading the watch..."
        missing="The watch could not be loaded"
      >
        {({ from_at, facts, names }) => (
          <>
            <ScreenHeading
              title="Hand Over the Watch"
              subtitle={`Since ${formatDateTime(from_at)}. You sign it; the next dispatcher reads and accepts it.`}
            />
            <div className="grid gap-4">
              <Panel title="Sign" isSmall>
                <SignForm />
              </Panel>
              <WatchFactsView facts={facts} names={names} />
            </div>
          </>
        )}
      </Loaded>
    </>
  );
}
