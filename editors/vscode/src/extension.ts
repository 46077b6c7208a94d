// The extension starts `brennerlint lsp` and connects VS Code to it. All that it shows
// comes from there.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import * as vscode from "vscode";
import { type Executable, LanguageClient, type LanguageClientOptions, State } from "vscode-languageclient/node";

const name = "brennerlint";

let client: LanguageClient | undefined;
let log: vscode.LogOutputChannel;
let latest: Promise<void> = Promise.resolve(); // starts and stops come one after the other

export function activate(context: vscode.ExtensionContext): Promise<void> {
  log = vscode.window.createOutputChannel(name, { log: true });
  context.subscriptions.push(
    log,
    vscode.commands.registerCommand("brennerlint.restart", restart),
    vscode.commands.registerCommand("brennerlint.showLog", () => log.show()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("brennerlint.path") || event.affectsConfiguration("brennerlint.args")) void restart();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
  );
  return restart();
}

export async function deactivate(): Promise<void> {
  await latest;
  await stop();
}

/** restart stops the server that runs, if one does, and starts it with the settings of now. */
function restart(): Promise<void> {
  latest = latest.then(stop).then(start);
  return latest;
}

async function stop(): Promise<void> {
  const running = client;
  client = undefined;
  if (running && running.state !== State.Stopped) await running.stop().catch((error: unknown) => log.error(String(error)));
}

async function start(): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  const settings = vscode.workspace.getConfiguration(name, folder);
  const command = settings.get<string>("path") || name;
  const server: Executable = {
    command,
    args: ["lsp", ...settings.get<string[]>("args", [])],
    options: folder ? { cwd: folder.uri.fsPath } : {},
  };
  const options: LanguageClientOptions = {
    documentSelector: [
      { scheme: "file", language: "markdown" },
      { scheme: "file", language: "json" },
      { scheme: "file", language: "jsonc" },
      { scheme: "file", pattern: "**/.brennerlint.{yaml,yml}" },
    ],
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/.brennerlint.{yaml,yml}") },
    outputChannel: log,
    diagnosticCollectionName: name,
  };
  // The client would show two notifications of its own for a program that is not there.
  try {
    await promisify(execFile)(command, ["--version"], server.options);
  } catch (error) {
    log.error(String(error));
    void tell(`brennerlint could not be started as "${command}". Is it installed?`);
    return;
  }
  client = new LanguageClient(name, name, server, options);
  try {
    await client.start();
  } catch (error) {
    log.error(String(error));
    void tell(`brennerlint lsp could not be started as "${command}". Is it installed?`);
  }
}

/** tell shows a message with what to do about it. */
async function tell(message: string): Promise<void> {
  const choice = await vscode.window.showErrorMessage(message, "Settings", "Log");
  if (choice === "Settings") await vscode.commands.executeCommand("workbench.action.openSettings", "brennerlint.path");
  if (choice === "Log") log.show();
}
