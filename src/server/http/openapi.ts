import { z } from 'zod';
import { VERSION } from '../../util/version.js';
import { JSON_TYPE, type Route } from './served-route.js';

/** An error as every route answers it. */
const errorBody = z.object({
  error: z.object({
    code: z.string().describe('Stable; docs/errors.md lists them.'),
    what: z.string(),
    hint: z.string().nullable(),
  }),
});

/** The schema of a body; bytes where there is none. */
function bodySchema(schema: z.ZodType | null, io: 'input' | 'output'): object {
  if (schema === null) return {};
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: 'draft-2020-12', io });
  return { schema: rest };
}

function content(forms: Readonly<Record<string, z.ZodType | null>>, io: 'input' | 'output'): object {
  return Object.fromEntries(Object.entries(forms).map(([type, schema]) => [type, bodySchema(schema, io)]));
}

function parameters({ params = {}, query = {} }: Route): object[] {
  const schema = { type: 'string' };
  return [
    ...Object.entries(params).map(([name, description]) => ({ name, in: 'path', required: true, description, schema })),
    ...Object.entries(query).map(([name, description]) => ({
      name,
      in: 'query',
      required: false,
      description,
      schema,
    })),
  ];
}

function operationObject(route: Route): object {
  const { method, path, summary, takes, gives, open } = route;
  const words = path.match(/\w+/g)?.filter((word) => word !== 'v1') ?? ['explorer'];
  const given = parameters(route);
  return {
    operationId: [method, ...words].join('_'),
    summary,
    ...(open ? { security: [{}] } : {}),
    ...(given.length > 0 ? { parameters: given } : {}),
    ...(takes === undefined ? {} : { requestBody: { required: true, content: content(takes, 'input') } }),
    responses: {
      200: { description: 'The answer.', content: content(gives, 'output') },
      default: {
        description: 'Why there is no answer.',
        content: { [JSON_TYPE]: { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  };
}

/** Makes the OpenAPI 3.1 document of routes, from the schemas that requests are checked against. */
export function openApi(routes: readonly Route[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    paths[route.path] ??= {};
    paths[route.path]![route.method] = operationObject(route);
  }
  const { schema } = bodySchema(errorBody, 'output') as { schema: object };
  return {
    openapi: '3.1.0',
    info: {
      title: 'flavourbench',
      version: VERSION,
      summary: 'Scores, rewards, audits and inference of a benchmark.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    security: [{}, { token: [] }],
    paths,
    components: {
      schemas: { Error: schema },
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'Where the server was started with one.' },
      },
    },
  };
}
