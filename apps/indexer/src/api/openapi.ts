import { z } from 'zod'
import { errorSchema, streamMessageSchema } from '../rest/types.ts'
import { pathSchemas, querySchemas } from './query.ts'
import { type Route, routes } from './routes.ts'

type Json = Readonly<Record<string, unknown>>

/** A schema as JSON Schema, which OpenAPI 3.1 takes as it is. What goes in is described for queries, what comes out for answers. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' })
  return rest
}

function parametersOf(schema: z.ZodObject, where: 'path' | 'query'): Json[] {
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Readonly<Record<string, Json>>
    required?: readonly string[]
  }
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    ...{ name, in: where, required: where === 'path' || required.includes(name), schema },
    ...(description === undefined ? {} : { description }),
  }))
}

const failures: Json = {
  default: {
    description: 'Not answered as asked.',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  },
}

function operationOf(route: Route): Json {
  const { name, summary, pathSchema, querySchema, answerSchema, isList } = route
  const csv = isList ? { 'text/csv': { schema: { type: 'string' } } } : {}
  return {
    ...{ operationId: name, summary },
    parameters: [
      ...(pathSchema === undefined ? [] : parametersOf(pathSchemas[pathSchema], 'path')),
      ...parametersOf(querySchemas[querySchema], 'query'),
    ],
    responses: {
      200: {
        description: summary,
        headers: { etag: { schema: { type: 'string' }, description: 'For If-None-Match.' } },
        content: { 'application/json': { schema: schemaOf(answerSchema, 'output') }, ...csv },
      },
      304: { description: 'As the If-None-Match of the request has it.' },
      ...failures,
    },
  }
}

const stream: Json = {
  operationId: 'followEvents',
  summary: 'What happens from now on, as server-sent events; data is one StreamMessage.',
  responses: {
    200: { description: 'A stream.', content: { 'text/event-stream': { schema: { type: 'string' } } } },
    ...failures,
  },
}

/** The OpenAPI 3.1 document of the REST surface, made of the rows that answer it. */
export function openApiDocument(): Json {
  const paths = routes.map((route) => [route.path.replaceAll(/:([A-Za-z]+)/g, '{$1}'), { get: operationOf(route) }])
  return {
    openapi: '3.1.0',
    info: {
      title: 'Oikos index',
      version: '1.0.0',
      description:
        'What the contracts of ERC-8406 and ERC-8414 said, reconciled with what they answer. Amounts, ids and clocks of contracts are decimal text in smallest units and seconds.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    paths: { ...Object.fromEntries(paths), '/v1/events': { get: stream } },
    components: {
      schemas: { Error: schemaOf(errorSchema, 'output'), StreamMessage: schemaOf(streamMessageSchema, 'output') },
    },
  }
}
