import { Pencil, RefreshCw, Trash2 } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import * as limits from '#shared/database.limits.ts';
import { NotSaved } from '#web/components/form/not-saved.tsx';
import { useSave } from '#web/components/form/use-save.ts';
import { Button } from '#web/components/ui/button.tsx';
import { Checkbox } from '#web/components/ui/checkbox.tsx';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { IconButton } from '#web/components/ui/icon-button.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import {
  type Look,
  optionalColumns,
  type SavedView,
  useChangeView,
  useDeleteView,
  useHideColumns,
  useLook,
  useOpenView,
  useSavedViews,
  useSaveView,
} from '#web/lib/views/saved-views.ts';

type NameFormProps = {
  label: string;
  hint?: string;
  name: string;
  button: string;
  /** Names of the other views. */
  taken: readonly string[];
  save: (name: string) => Promise<unknown>;
  children?: ReactNode;
};

function NameForm({ label, hint, name, button, taken, save, children }: NameFormProps) {
  const [typed, setTyped] = useState(name);
  const [problem, setProblem] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  async function submit() {
    const given = typed.trim().replace(/\s+/g, ' ');
    if (isBusy) return;
    setProblem(undefined);
    if (given === '') return setProblem('Name is required');
    if (taken.includes(given)) return setProblem('Another view of this list has this name');
    setBusy(true);
    setFailure(undefined);
    try {
      await save(given);
      setTyped(name);
    } catch (error) {
      setFailure(describeError(error));
    } finally {
      setBusy(false);
    }
  }
  return (
    <form
      noValidate
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Field label={label} {...(hint !== undefined && { hint })} error={problem}>
        {(control) => (
          <Input
            {...control}
            maxLength={limits.SAVED_VIEWS_NAME_MAX}
            autoComplete="off"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        )}
      </Field>
      <NotSaved reason={failure} />
      <div className="flex flex-wrap justify-end gap-3">
        {children}
        <Button type="submit" variant="secondary" busy={isBusy}>
          {button}
        </Button>
      </div>
    </form>
  );
}

type ViewRowProps = {
  view: SavedView;
  look: Look;
  taken: readonly string[];
  onOpen: () => void;
  onDelete: () => void;
};

function ViewRow({ view, look, taken, onOpen, onDelete }: ViewRowProps) {
  const { id, name } = view;
  const [isRenamed, setRenamed] = useState(false);
  const { mutateAsync: change, isPending } = useChangeView();
  const { save } = useSave();
  if (isRenamed) {
    return (
      <li className="py-3">
        <NameForm
          label={`New name of ${name}`}
          name={name}
          button="Rename"
          taken={taken.filter((other) => other !== name)}
          save={async (given) => {
            await change({ id, name: given });
            setRenamed(false);
            showSuccess('View renamed');
          }}
        >
          <Button variant="ghost" onClick={() => setRenamed(false)}>
            Cancel
          </Button>
        </NameForm>
      </li>
    );
  }
  async function update() {
    if (await save(() => change({ id, ...look }))) {
      showSuccess('View updated', `${name} looks as the list does now.`);
    }
  }
  return (
    <li className="flex items-center gap-1">
      <Button
        variant="ghost"
        className="min-w-0 flex-1 justify-start px-2 text-left"
        onClick={onOpen}
      >
        <span className="[overflow-wrap:anywhere] whitespace-normal">{name}</span>
      </Button>
      <IconButton
        label={`Update ${name}`}
        title="Keep the list as it is now"
        Icon={RefreshCw}
        busy={isPending}
        onClick={() => void update()}
      />
      <IconButton label={`Rename ${name}`} Icon={Pencil} onClick={() => setRenamed(true)} />
      <IconButton
        variant="danger-ghost"
        label={`Delete ${name}`}
        Icon={Trash2}
        onClick={onDelete}
      />
    </li>
  );
}

function Columns({ list, hidden }: { list: string; hidden: readonly string[] }) {
  const id = useId();
  const hide = useHideColumns();
  const { save } = useSave();
  const headers = optionalColumns.get(list) ?? [];
  if (headers.length === 0) return null;
  return (
    <fieldset className="border-t border-line pt-5">
      <legend className="contents">
        <span className="font-semibold">Columns</span>
      </legend>
      <p className="text-sm text-muted">The first column always stays. Exports have all of them.</p>
      <div className="mt-2 grid sm:grid-cols-2">
        {headers.map((header, at) => (
          <div key={header} className="relative flex min-h-11 items-center gap-3">
            <Checkbox
              id={`${id}-${at}`}
              checked={!hidden.includes(header)}
              onChange={({ target }) => {
                const others = hidden.filter((other) => other !== header);
                const hidden_columns = target.checked ? others : [...others, header];
                void save(() => hide({ list, hidden_columns }));
              }}
            />
            <label htmlFor={`${id}-${at}`}>{header}</label>
          </div>
        ))}
      </div>
    </fieldset>
  );
}

type ViewsDialogProps = { list: string; hasLayouts: boolean; onClose: () => void };

/** The user's own views of a list, and which of its columns are shown. */
export function ViewsDialog({ list, hasLayouts, onClose }: ViewsDialogProps) {
  const { data: views = [], error } = useSavedViews(list);
  const look = useLook(hasLayouts);
  const openView = useOpenView();
  const { mutateAsync: saveView } = useSaveView();
  const { mutateAsync: deleteView } = useDeleteView();
  const [deleted, setDeleted] = useState<SavedView>();
  const { save } = useSave();
  const taken = views.map(({ name }) => name);
  async function open(view: Omit<SavedView, 'id' | 'name'>) {
    onClose();
    await save(() => openView(view));
  }
  if (deleted) {
    return (
      <ConfirmDialog
        title="Delete View"
        question={`Delete the view ${deleted.name}?`}
        confirmLabel="Delete"
        busyLabel="Deleting..."
        success="View deleted"
        onConfirm={() => deleteView(deleted.id)}
        onClose={() => setDeleted(undefined)}
      />
    );
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Views"
      description="Filters, order and columns under a name, for you alone."
    >
      <div className="grid gap-5">
        <ul aria-label="Saved views" className="grid">
          <li>
            <Button
              variant="ghost"
              className="justify-start px-2"
              onClick={() =>
                void open({
                  list,
                  search: {},
                  hidden_columns: [],
                  layout: hasLayouts ? 'cards' : null,
                })
              }
            >
              Usual view
            </Button>
          </li>
          {views.map((view) => (
            <ViewRow
              key={view.id}
              view={view}
              look={look}
              taken={taken}
              onOpen={() => void open(view)}
              onDelete={() => setDeleted(view)}
            />
          ))}
        </ul>
        <NotSaved
          title="The views could not be loaded"
          reason={error ? describeError(error) : undefined}
        />
        <NameForm
          label="Save the list as it is now"
          hint="For example: My sites, unassigned"
          name=""
          button="Save View"
          taken={taken}
          save={async (name) => {
            await saveView({ list, name, ...look });
            showSuccess('View saved', `Find it here, or by Ctrl+K: ${name}`);
          }}
        />
        <Columns list={list} hidden={look.hidden_columns} />
      </div>
    </Dialog>
  );
}
