import { useState } from 'react';
import { createFields } from '#web/components/form/fields.tsx';
import { RecordForm } from '#web/components/form/record-form.tsx';
import { RequestCard } from '#web/components/records/client-request.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { type AnswerForm, answerSchema, useAnswerRequest, useRequests } from './requests-api.ts';

type AnswerFormProps = { id: string; isDeclined: boolean; onClose: () => void };

function AnswerFields({ id, isDeclined, onClose }: AnswerFormProps) {
  const answer = useAnswerRequest();
  return (
    <div className="mt-4 border-t border-line pt-4">
      <RecordForm<AnswerForm, void>
        schema={answerSchema}
        defaultValues={{ answer: '' }}
        submitLabel={isDeclined ? 'Decline' : 'Send answer'}
        savingLabel="Sending..."
        save={(form) => answer.mutateAsync({ id, isDeclined, ...form })}
        onSaved={() => {
          showSuccess(isDeclined ? 'Declined' : 'Answer sent');
          onClose();
        }}
        onCancel={onClose}
      >
        {(form) => createFields(form).notes('answer', 'Answer', { optional: false })}
      </RecordForm>
    </div>
  );
}

export function RequestList({ clientId }: { clientId: string }) {
  const query = useRequests(clientId);
  const [answering, setAnswering] = useState<{ id: string; isDeclined: boolean }>();
  return (
    <Loaded query={query} loadingText="Loading the messages">
      {(requests) => (
        <>
          {requests.length === 0 && <p className="py-4 text-muted">No messages yet.</p>}
          <ul className="grid gap-4">
            {requests.map((request) => (
              <li key={request.id}>
                <RequestCard
                  request={request}
                  site={request.site?.name}
                  writer={request.contact.full_name}
                >
                  {answering?.id === request.id && (
                    <AnswerFields {...answering} onClose={() => setAnswering(undefined)} />
                  )}
                  {request.status === 'open' && answering?.id !== request.id && (
                    <div className="mt-4 flex flex-wrap gap-2">
                      <Button
                        variant="secondary"
                        onClick={() => setAnswering({ id: request.id, isDeclined: false })}
                      >
                        Answer
                      </Button>
                      <Button
                        variant="ghost"
                        onClick={() => setAnswering({ id: request.id, isDeclined: true })}
                      >
                        Decline
                      </Button>
                    </div>
                  )}
                </RequestCard>
              </li>
            ))}
          </ul>
        </>
      )}
    </Loaded>
  );
}
