/** A task set as it was released: what its file must hash to (compiler b.11). */
interface ReleasedTaskSet {
  readonly panel: string;
  readonly schema: string;
  readonly artifactSha256: string;
  readonly taskSetSha256: string;
  readonly physicalSha256: string;
}

export const RELEASED_TASK_SETS: readonly ReleasedTaskSet[] = [
  {
    panel: 'panel_1',
    schema: 'flavourbench-epicure-selection-taskset-v6',
    artifactSha256: 'a33bf28db372090015118371417b0e8ed1254f416d03d2c2c5816a6a752beb41',
    taskSetSha256: '0f89efbe1fcfb734e1ec6ac4f1024511f3d5fcf6283b320ec924e6593594ff1f',
    physicalSha256: '140a82f3abc220749ba03f1527a77cbc3cc40b7f479df1aad7e749f24a202685',
  },
  {
    panel: 'panel_2',
    schema: 'flavourbench-epicure-selection-taskset-v7-replication-2',
    artifactSha256: '925ba9d1d4be9c2b7a1e9956ecd6c18d34ffcad22eee28522f16892922c91e3f',
    taskSetSha256: '5775deee1e1124999b499d622e41249156d3deabcbf9fdfaa7c943cc4ea5a5bc',
    physicalSha256: '4c563b1104d5b59d0cca512c19a5ec5d893c529c04a54afef7f2ba53ee75087d',
  },
];

/** Digest of the rows of the released 534-task core, sorted by id: the one task set whose scores are comparable. */
export const RELEASED_CORE_ROWS_SHA256 = 'c1a31c44df75304aeac25b5661adbb6e1d54de0a4eb0a7b71766a0bb6961b7c6';

/** The released core plan. */
export const RELEASED_CORE_PLAN_SHA256 = '2ba71c793c8d4b97eed863ee83fd770b429fdefdffebdeafb241672f634ee507';
