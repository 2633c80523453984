import { fail, shown } from '../util/error.js';
import { nearestHint } from '../util/spelling.js';

/** A public file that can be fetched. The digest is what is trusted, never the address. */
export interface Asset {
  /** `group/file`. */
  readonly id: string;
  readonly sha256: string;
  /** Size in bytes where it is known. */
  readonly bytes: number | null;
  readonly licence: string;
  /** Immutable address, or null where none is known. */
  readonly url: string | null;
  /** Path in a Hugging Face data set whose revision the caller must give. */
  readonly dataset?: { readonly repository: string; readonly path: string };
  readonly about: string;
}

const CC_BY = 'CC BY 4.0';
const CC_BY_NC = 'CC BY-NC 4.0';
const RUNTIME = 'distributed as MIT; rights in the payload are not settled upstream';
const HUB = 'https://huggingface.co';

function checkpoint(
  group: string,
  revision: string,
  digests: { readonly embeddings: string; readonly config: string },
): Asset[] {
  const file = (name: string, sha256: string, bytes: number | null): Asset => ({
    id: `${group}/${name}`,
    sha256,
    bytes,
    licence: CC_BY,
    url: `${HUB}/Kaikaku/${group}/resolve/${revision}/${name}`,
    about: 'public Epicure checkpoint (Radzikowski and Chen)',
  });
  return [
    file('embeddings.safetensors', digests.embeddings, group === 'epicure-cooc' ? 2_148_088 : null),
    file('vocab.json', '5a10278cd71eeb66051d23ef8621b917a60ecd493d4580f60d324623191f8005', 35_104),
    file('config.json', digests.config, group === 'epicure-cooc' ? 1053 : null),
  ];
}

function runtime(name: string, bytes: number, sha256: string): Asset {
  return {
    id: `runtime/${name}`,
    sha256,
    bytes,
    licence: RUNTIME,
    url: null,
    about: 'frozen runtime bundle behind the released maps',
  };
}

function released(name: string, sha256: string, licence: string, bytes: number | null = null): Asset {
  return {
    id: `flavourbench/${name}`,
    sha256,
    bytes,
    licence,
    url: null,
    dataset: { repository: 'josefchen/flavourbench', path: `data-complete-core/${name}` },
    about: 'released FlavourBench data set (Chen and Hayretci)',
  };
}

function recipes(name: string, sha256: string): Asset {
  return {
    id: `recipe1msubs/${name}`,
    sha256,
    bytes: null,
    licence: CC_BY_NC,
    url: null,
    about: 'ingredient substitutions of the GISMo release',
  };
}

/** Every asset, in listing order. */
export const ASSETS: readonly Asset[] = [
  ...checkpoint('epicure-cooc', '03edd311adde6e39a2eb6f9f3fa78f7396be6b53', {
    embeddings: '5ce3bdd03deb8cc8e30bd2a574e04a997b9990422d9203dac4f148949b701a87',
    config: '8fd5ed3de8295d33240b4fbf16a3a84788c916bcb09ab450434b8b0a1dfd6853',
  }),
  ...checkpoint('epicure-core', 'd31ebb5af8e92bbaf5cb67381d5006d4ea8368b7', {
    embeddings: '58c965532709e415cc00098ea24ad153ca5e02f2ffc88d6b7287c36308e34120',
    config: '0edfdd497a9828d86bd3490294512bc7e94fdee085fe8b1a5f1811e4b9245a99',
  }),
  ...checkpoint('epicure-chem', '2461ef3fbafab36d2b1111187a3df98721146861', {
    embeddings: '66679efdd10502f3ba52bc18c379a3617a11c8b30afc29327a286b1c5b2a22b9',
    config: '423b70aa8b1253d8fd401207f4e8359f5411a242d6627b6879cda672bf146b6c',
  }),
  runtime('embeddings.csv', 10_425_903, 'b27fe776a59b59d703ae24170ccfcf384b89a753fd358307d085514a4fde6f69'),
  runtime('ingredient_tags.csv', 101_492, '8f52e83a072069f436ab7d851ed0251e775da92afc46e0deaa61d49d91014772'),
  runtime('supervised_directions.npz', 55_310, '44f0a5964a96d521b503c577979afd1c48a9b7e62f5826e651d2dfa2088b4d74'),
  released('tasks.jsonl', '97d58de483b6a4949b0a185c424c541f6fb1810f0eb774d04e27b11c100f9451', CC_BY, 1_412_577),
  released(
    'primary_observations.jsonl',
    'e6e95d531405c760810da1de6282c14457044326db88333bee0e39d6b236851c',
    'terms of the model providers',
  ),
  released('leaderboard.jsonl', '07a9aceb4179433ef4e52f9166250e400efb422885205c79f637621f4adca59a', CC_BY),
  released('pairwise_comparisons.jsonl', 'f7bfc5526b3809515b88f4c58511de6e5a56d32fe3f0ec3e26cde4ef982bc355', CC_BY),
  recipes('test', '0758382cae59697958dd2a5e509c15f8d0417ea1a9e079fd75792779f1ce6174'),
  recipes('train', 'b4d58e6c6c6747671e531812393397acf75c02d2a9ce00c2edcc7794bf567c81'),
];

/** Finds the asset of that id, or all of a group. Errors: ASSET_UNKNOWN. */
export function findAssets(id: string, assets: readonly Asset[] = ASSETS): readonly Asset[] {
  const found = assets.filter((asset) => asset.id === id || asset.id.startsWith(`${id}/`));
  if (found.length > 0) return found;
  const groups = [...new Set(assets.map((asset) => asset.id.split('/')[0]!))];
  const near = nearestHint(id, [...assets.map((asset) => asset.id), ...groups]);
  fail(
    'ASSET_UNKNOWN',
    null,
    `no asset ${shown(id)}`,
    `${near === undefined ? '' : `${near} `}Groups: ${groups.join(', ')}; \`flavourbench fetch --list\` shows the files.`,
  );
}

/** Gives the address of an asset; a data set's revision is the caller's. Null where only `--from` can supply it. Errors: USAGE. */
export function assetUrl(asset: Asset, revision?: string): string | null {
  if (asset.url !== null || !asset.dataset) return asset.url;
  if (revision === undefined) return null;
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(revision)) {
    fail('USAGE', null, `--revision is ${shown(revision)}; a commit or branch name is expected`);
  }
  return `${HUB}/datasets/${asset.dataset.repository}/resolve/${revision}/${asset.dataset.path}`;
}
