// Jobs: a worker does one at a time. To cancel it is to end the worker.

const job = { worker: undefined, reject: undefined };

// Returns a worker with the module, from this file: `file://` has no other origin for it.
function startWorker() {
  const source = byId("worker-source").textContent;
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const worker = new Worker(url);
  URL.revokeObjectURL(url);
  worker.postMessage({ module: byId("module").textContent });
  return worker;
}

// Thrown by a job that was cancelled.
class Cancelled extends Error {}

// Runs a job; `on` has functions for its messages by name. Returns the last one's value. A job that
// runs is cancelled.
function run(request, on) {
  cancel();
  job.worker ??= startWorker();
  return new Promise((resolve, reject) => {
    job.reject = reject;
    job.worker.onmessage = ({ data: [name, value] }) => {
      if (name === "done") {
        job.reject = undefined;
        resolve(value);
      } else if (name === "failed") {
        // The module's state after a failure is not known.
        endWorker(new Error(value));
      } else {
        on[name]?.(value);
      }
    };
    job.worker.onerror = (event) => {
      event.preventDefault();
      endWorker(new Error(`The worker failed: ${event.message ?? "it did not start"}.`));
    };
    job.worker.postMessage(request);
  });
}

// Ends the worker, and its job with an error.
function endWorker(error) {
  job.worker?.terminate();
  job.worker = undefined;
  job.reject?.(error);
  job.reject = undefined;
}

// Cancels the job that runs, if any.
function cancel() {
  if (job.reject) endWorker(new Cancelled());
}

// Shows a job's progress while it runs. Short jobs show nothing.
async function withProgress(label, task) {
  byId("work-label").textContent = label;
  byId("progress").value = 0;
  byId("work-part").textContent = "";
  const timer = setTimeout(() => { byId("work").hidden = false; }, 150);
  try {
    return await task(([done, total]) => {
      byId("progress").value = total ? done / total : 1;
      byId("work-part").textContent = `${size(done)} of ${size(total)}`;
    });
  } finally {
    clearTimeout(timer);
    byId("work").hidden = true;
  }
}
