interface FilesProps {
  readonly onFiles: (list: Iterable<File>) => void;
}

/** Where files or a folder are dropped or chosen. */
export function DropPlace({ onFiles }: FilesProps) {
  return (
    <section class="drop">
      <h2>Open scores, results, a release or a ledger</h2>
      <p>
        Drop files or a folder here: a table of models and tasks, the logs of an evaluation, what <code>infer</code>,{' '}
        <code>rank-audit</code> or <code>sensitivity</code> wrote, a release (its folder, or an archive of it), a
        ledger. Each is known by its content. Nothing leaves this machine.
      </p>
      <Choosers onFiles={onFiles} files="Choose files" />
    </section>
  );
}

/** The same at the foot of a page that shows something. */
export function OpenOthers({ onFiles }: FilesProps) {
  return <Choosers onFiles={onFiles} files="Open other files" />;
}

function Choosers({ onFiles, files }: FilesProps & { readonly files: string }) {
  return (
    <div class="files">
      <label class="choose">
        <span>{files}</span>
        <input type="file" multiple onChange={({ currentTarget }) => onFiles(currentTarget.files ?? [])} />
      </label>
      <label class="choose">
        <span>or a folder</span>
        <input
          type="file"
          ref={(input) => input?.setAttribute('webkitdirectory', '')}
          onChange={({ currentTarget }) => onFiles(currentTarget.files ?? [])}
        />
      </label>
    </div>
  );
}
