// Financial Statements: the chart, the cards, and their dialogs.
import { Plus } from 'lucide-react';
import { EntryDialog } from '#web/components/records/entry-dialog.tsx';
import { ExportButton } from '#web/components/records/export-button.tsx';
import { ImportButton } from '#web/components/records/import-button.tsx';
import { RecordList } from '#web/components/records/record-list.tsx';
import { ScreenHeading } from '#web/components/records/screen-heading.tsx';
import { latestOf, useBoard } from '#web/components/records/use-board.ts';
import { useUndoableDelete } from '#web/components/records/use-undoable-delete.ts';
import { Button } from '#web/components/ui/button.tsx';
import { useDeleteStatement } from '../api/delete-statement.ts';
import { exportStatements } from '../api/export-statements.ts';
import { useImportStatement } from '../api/import-statement.ts';
import { useStatements } from '../api/list-statements.ts';
import { useRestoreStatement } from '../api/restore-statement.ts';
import { useSaveStatement } from '../api/save-statement.ts';
import { emptyForm, formOf, type Statement, statementSchema } from '../schema.ts';
import { ProfitsChart } from './profits-chart.tsx';
import { StatementCard } from './statement-card.tsx';
import { StatementFields } from './statement-fields.tsx';

export function StatementBoard() {
  const board = useBoard<Statement>();
  const query = useStatements(board.limit);
  const save = useSaveStatement();
  const remove = useDeleteStatement();
  const removeUndoably = useUndoableDelete({
    remove,
    restore: useRestoreStatement(),
    deleted: 'Financial statement deleted successfully',
    restored: 'Financial statement restored',
  });
  const changed = board.entry === 'new' ? undefined : board.entry;
  return (
    <>
      <ScreenHeading title="Financial Statements">
        <ExportButton exportRecords={exportStatements} />
        <ImportButton
          label="Import Sample"
          importRecords={useImportStatement()}
          success={() => 'Financial statement imported successfully'}
        />
        <Button onClick={() => board.open('new')}>
          <Plus aria-hidden="true" className="size-4.5" />
          Add Statement
        </Button>
      </ScreenHeading>
      <ProfitsChart />
      <RecordList
        query={query}
        loadingText="Loading financial statements..."
        emptyText="No financial statements yet. Add the first one above."
        moreLabel="Show older statements"
        onMore={board.showMore}
        renderCard={(statement) => (
          <StatementCard
            statement={statement}
            onEdit={() => board.open(statement)}
            onDelete={() => removeUndoably(statement.id)}
            isDeleting={remove.isPending && remove.variables === statement.id}
          />
        )}
      />
      {board.entry && (
        <EntryDialog
          title={changed ? 'Edit Financial Statement' : 'Add Financial Statement'}
          schema={statementSchema}
          defaultValues={changed ? formOf(changed) : emptyForm}
          latest={changed && formOf(latestOf(changed, query.data?.rows))}
          submitLabel={changed ? 'Save Changes' : 'Add Statement'}
          invalid="Validation Error"
          save={(form) => save.mutateAsync({ id: changed?.id, form })}
          success={`Financial statement ${changed ? 'updated' : 'created'} successfully`}
          onClose={board.close}
        >
          {(form) => <StatementFields {...form} />}
        </EntryDialog>
      )}
    </>
  );
}
