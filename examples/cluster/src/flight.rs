//! The server from which the client and other executors fetch an executor's results. It is
//! Ballista's server on a listener that is bound before the port is published, and counts the bytes
//! that it sends.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use arrow_flight::flight_service_server::FlightServiceServer;
use ballista_core::error::BallistaError;
use ballista_core::utils::{GrpcServerConfig, create_grpc_server};
use ballista_executor::ArrowFlightServerProvider;
use ballista_executor::flight_service::BallistaFlightService;
use ballista_executor::shutdown::Shutdown;
use futures::stream;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tonic::transport::server::{Connected, TcpConnectInfo};

/// The number of bytes sent.
pub type Counter = Arc<AtomicU64>;

/// Returns a function that starts the server on `listener`, for
/// `ExecutorProcessConfig::override_arrow_flight_service`. The server adds the bytes that it sends
/// to `sent_bytes`.
pub fn provide_server(
    listener: TcpListener,
    sent_bytes: Counter,
) -> Arc<ArrowFlightServerProvider> {
    // Ballista calls the function once, but its type allows more calls.
    let listener = Mutex::new(Some(listener));
    Arc::new(
        move |folder: String, _: SocketAddr, mut shutdown: Shutdown, config: GrpcServerConfig| {
            let listener =
                listener.lock().expect("no thread panics while it holds the lock").take();
            let sent_bytes = sent_bytes.clone();
            tokio::spawn(async move {
                let listener = listener
                    .ok_or_else(|| BallistaError::General("the server is started twice".into()))?;
                let connections =
                    stream::unfold((listener, sent_bytes), async |(listener, sent_bytes)| {
                        let connection = listener.accept().await.and_then(|(stream, _)| {
                            stream.set_nodelay(true)?;
                            Ok(CountingStream { stream, sent_bytes: sent_bytes.clone() })
                        });
                        Some((connection, (listener, sent_bytes)))
                    });
                create_grpc_server(&config)
                    .add_service(FlightServiceServer::new(BallistaFlightService::new(folder)))
                    .serve_with_incoming_shutdown(connections, shutdown.recv())
                    .await
                    .map_err(BallistaError::TonicError)
            })
        },
    )
}

/// A connection that counts the bytes that it sends.
struct CountingStream {
    stream: TcpStream,
    sent_bytes: Counter,
}

impl Connected for CountingStream {
    type ConnectInfo = TcpConnectInfo;

    fn connect_info(&self) -> TcpConnectInfo {
        self.stream.connect_info()
    }
}

impl AsyncRead for CountingStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl CountingStream {
    fn count_written(&self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if let Poll::Ready(Ok(bytes)) = written {
            self.sent_bytes.fetch_add(bytes as u64, Ordering::Relaxed);
        }
        written
    }
}

impl AsyncWrite for CountingStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.count_written(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.count_written(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
