/**
 * Writes the gateway's OpenAPI document (standard input) as TypeScript types (standard output).
 *
 * `npm run contracts` renews `src/contracts/gateway.ts`; a test compares it with the document.
 */

import { stdin, stdout } from "node:process";

const HEADER = `/**
 * Generated from the gateway's OpenAPI document by \`npm run contracts\`; never edited.
 *
 * Types only: what really arrives is checked field by field where it is read.
 */
`;

function lastName(reference) {
  return reference.slice(reference.lastIndexOf("/") + 1);
}

function typeOf(schema) {
  if (schema.$ref !== undefined) return lastName(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((one) => JSON.stringify(one)).join(" | ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return [...new Set(choices.map(typeOf))].join(" | ");
  switch (schema.type) {
    case "string":
      return "string";
    case "integer":
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    case "null":
      return "null";
    case "array":
      return `readonly (${typeOf(schema.items ?? {})})[]`;
    case "object":
      return mapType(schema.additionalProperties);
    default:
      return "unknown";
  }
}

function mapType(values) {
  return `Readonly<Record<string, ${typeof values === "object" ? typeOf(values) : "unknown"}>>`;
}

function comment(text, indent) {
  const first = text?.split("\n\n")[0]?.replace(/\s+/gu, " ").trim();
  return first === undefined || first === "" ? "" : `${indent}/** ${first} */\n`;
}

function declared(name, schema) {
  const above = comment(schema.description, "");
  if (schema.type !== "object" || schema.properties === undefined) {
    return `${above}export type ${name} = ${typeOf(schema)};\n`;
  }
  const required = new Set(schema.required ?? []);
  const fields = Object.entries(schema.properties).map(([field, value]) => {
    const mark = required.has(field) ? "" : "?";
    return `${comment(value.description, "  ")}  readonly ${field}${mark}: ${typeOf(value)};\n`;
  });
  return `${above}export interface ${name} {\n${fields.join("")}}\n`;
}

async function read(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

const { components } = JSON.parse(await read(stdin));
const names = Object.keys(components.schemas).sort();
const types = names.map((name) => declared(name, components.schemas[name]));
stdout.write([HEADER, ...types].join("\n"));
