/** Where files are dropped or chosen. */
export function DropPlace({ onFiles }: { readonly onFiles: (list: Iterable<File>) => void }) {
  return (
    <section class="drop">
      <h2>Open scores</h2>
      <p>
        Drop a table of models and tasks here, or the logs of an evaluation. CSV, Excel, JSON, Arrow and Parquet are
        read. Nothing leaves this machine.
      </p>
      <label class="choose">
        <span>Choose files</span>
        <input type="file" multiple onChange={({ currentTarget }) => onFiles(currentTarget.files ?? [])} />
      </label>
    </section>
  );
}
